import { mount } from '@/lib/endpoints/mount';

export const DELETE = mount('DELETE', '/api/auth/access-tokens/:id');

import { mount } from '@/lib/endpoints/mount';

export const DELETE = mount('DELETE', '/api/auth/sessions/:id');

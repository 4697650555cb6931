import { mount } from '@/lib/endpoints/mount';

export const DELETE = mount('DELETE', '/api/push/receivers/:id');

import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/auth/sessions');
export const DELETE = mount('DELETE', '/api/auth/sessions');

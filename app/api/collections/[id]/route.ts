import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/collections/:id');
export const PATCH = mount('PATCH', '/api/collections/:id');
export const DELETE = mount('DELETE', '/api/collections/:id');

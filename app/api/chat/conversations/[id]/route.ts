import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/chat/conversations/:id');
export const PATCH = mount('PATCH', '/api/chat/conversations/:id');
export const DELETE = mount('DELETE', '/api/chat/conversations/:id');

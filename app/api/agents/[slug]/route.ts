import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/agents/:slug');
export const PATCH = mount('PATCH', '/api/agents/:slug');
export const DELETE = mount('DELETE', '/api/agents/:slug');

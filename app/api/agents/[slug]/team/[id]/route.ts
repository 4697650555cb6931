import { mount } from '@/lib/endpoints/mount';

export const PATCH = mount('PATCH', '/api/agents/:slug/team/:id');
export const DELETE = mount('DELETE', '/api/agents/:slug/team/:id');

import { mount } from '@/lib/endpoints/mount';

export const PUT = mount('PUT', '/api/collections/:id/agents/:slug');
export const DELETE = mount('DELETE', '/api/collections/:id/agents/:slug');

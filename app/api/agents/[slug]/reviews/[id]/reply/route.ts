import { mount } from '@/lib/endpoints/mount';

export const PUT = mount('PUT', '/api/agents/:slug/reviews/:id/reply');
export const DELETE = mount('DELETE', '/api/agents/:slug/reviews/:id/reply');

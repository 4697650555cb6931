import { mount } from '@/lib/endpoints/mount';

export const PUT = mount('PUT', '/api/agents/:slug/credentials');
export const DELETE = mount('DELETE', '/api/agents/:slug/credentials');

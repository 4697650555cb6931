import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/agents/:slug/merchant');
export const PUT = mount('PUT', '/api/agents/:slug/merchant');

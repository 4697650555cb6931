import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/agents/:slug/ownership');
export const POST = mount('POST', '/api/agents/:slug/ownership');

import { mount } from '@/lib/endpoints/mount';

export const POST = mount('POST', '/v1/agents/:slug/a2a');

import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/agents/:slug/a2a/rpc/.well-known/agent.json');

import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/v1/agent-systems/:slug/.well-known/agent.json');

import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/agents/:slug/society/.well-known/agent.json');

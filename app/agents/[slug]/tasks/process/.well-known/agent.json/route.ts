import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/agents/:slug/tasks/process/.well-known/agent.json');

import { mount } from '@/lib/endpoints/mount';

export const POST = mount('POST', '/v1/agent-systems/:slug');

import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/agents');
export const POST = mount('POST', '/api/agents');

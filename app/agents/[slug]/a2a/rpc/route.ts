import { mount } from '@/lib/endpoints/mount';

export const POST = mount('POST', '/agents/:slug/a2a/rpc');

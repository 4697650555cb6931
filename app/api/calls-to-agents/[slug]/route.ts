import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/agents/:slug');
export const POST = mount('POST', '/agents/:slug');

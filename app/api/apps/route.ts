import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/apps');
export const POST = mount('POST', '/api/apps');

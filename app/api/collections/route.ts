import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/collections');
export const POST = mount('POST', '/api/collections');

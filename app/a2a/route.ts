import { mount } from '@/lib/endpoints/mount';

export const POST = mount('POST', '/a2a');

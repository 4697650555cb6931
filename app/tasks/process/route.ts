import { mount } from '@/lib/endpoints/mount';

export const POST = mount('POST', '/tasks/process');

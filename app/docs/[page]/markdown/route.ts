import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/docs/:page.md');

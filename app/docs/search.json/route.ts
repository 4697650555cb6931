import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/docs/search.json');

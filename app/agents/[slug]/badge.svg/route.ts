import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/agents/:slug/badge.svg');

import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/.well-known/oauth-protected-resource');

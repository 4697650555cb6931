import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/auth/access-tokens');
export const POST = mount('POST', '/api/auth/access-tokens');

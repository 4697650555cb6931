import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/auth/passkeys');
export const POST = mount('POST', '/api/auth/passkeys');

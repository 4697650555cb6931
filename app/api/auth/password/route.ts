import { mount } from '@/lib/endpoints/mount';

export const PUT = mount('PUT', '/api/auth/password');
export const POST = mount('POST', '/api/auth/password');

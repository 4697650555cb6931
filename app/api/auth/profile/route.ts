import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/auth/profile');
export const PATCH = mount('PATCH', '/api/auth/profile');

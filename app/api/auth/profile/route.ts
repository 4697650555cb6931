import { mount } from '@/lib/endpoints/mount';

export const PATCH = mount('PATCH', '/api/auth/profile');

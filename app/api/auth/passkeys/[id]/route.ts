import { mount } from '@/lib/endpoints/mount';

export const PATCH = mount('PATCH', '/api/auth/passkeys/:id');
export const DELETE = mount('DELETE', '/api/auth/passkeys/:id');

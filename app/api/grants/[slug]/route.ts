import { mount } from '@/lib/endpoints/mount';

export const PUT = mount('PUT', '/api/grants/:slug');
export const DELETE = mount('DELETE', '/api/grants/:slug');

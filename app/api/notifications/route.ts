import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/notifications');
export const PUT = mount('PUT', '/api/notifications');

import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/payments/settings');
export const PUT = mount('PUT', '/api/payments/settings');

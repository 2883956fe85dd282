export { createServices } from './create-services';

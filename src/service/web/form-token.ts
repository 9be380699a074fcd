// The name of the hidden field that every form carries.
export const FORM_TOKEN = 'form_token';

// The program contains these files as text, which is what a module imports from them (scripts/text-files.js).
declare module '*.css' {
  const text: string;
  export default text;
}

declare module '*.md' {
  const text: string;
  export default text;
}

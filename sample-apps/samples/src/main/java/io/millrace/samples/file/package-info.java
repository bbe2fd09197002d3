/** The views of files' bytes for commands: the first bytes, the number of bytes, their digest. */
@NullMarked
package io.millrace.samples.file;

import org.jspecify.annotations.NullMarked;

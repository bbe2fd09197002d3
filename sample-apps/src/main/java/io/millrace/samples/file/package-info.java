/** What commands ask of the bytes of files: the first ones, how many, their digest. */
@NullMarked
package io.millrace.samples.file;

import org.jspecify.annotations.NullMarked;

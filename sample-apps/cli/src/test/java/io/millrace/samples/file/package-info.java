@NullMarked
package io.millrace.samples.file;

import org.jspecify.annotations.NullMarked;

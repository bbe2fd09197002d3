@NullMarked
package io.millrace.buffer;

import org.jspecify.annotations.NullMarked;

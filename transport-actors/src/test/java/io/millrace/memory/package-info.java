@NullMarked
package io.millrace.memory;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.millrace.samples.top;

import org.jspecify.annotations.NullMarked;

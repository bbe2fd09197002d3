@NullMarked
package io.millrace.ends.retry;

import org.jspecify.annotations.NullMarked;

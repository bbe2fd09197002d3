@NullMarked
package io.millrace.ends;

import org.jspecify.annotations.NullMarked;

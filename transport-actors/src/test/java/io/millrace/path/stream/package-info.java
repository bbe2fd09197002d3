@NullMarked
package io.millrace.path.stream;

import org.jspecify.annotations.NullMarked;

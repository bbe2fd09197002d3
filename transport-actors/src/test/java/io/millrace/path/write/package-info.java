@NullMarked
package io.millrace.path.write;

import org.jspecify.annotations.NullMarked;

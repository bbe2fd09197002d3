@NullMarked
package io.millrace.path.peer;

import org.jspecify.annotations.NullMarked;

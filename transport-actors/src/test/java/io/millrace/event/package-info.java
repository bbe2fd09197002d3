@NullMarked
package io.millrace.event;

import org.jspecify.annotations.NullMarked;

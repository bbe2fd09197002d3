@NullMarked
package io.millrace.nic;

import org.jspecify.annotations.NullMarked;

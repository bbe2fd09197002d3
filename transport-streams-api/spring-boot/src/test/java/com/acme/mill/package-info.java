@NullMarked
package com.acme.mill;

import org.jspecify.annotations.NullMarked;

package io.millrace.testkit.internal.patch;

import static java.lang.constant.DirectMethodHandleDesc.Kind.STATIC;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * Replaces a constructor of at most two references by a factory with the same arguments. Compilers
 * leave the new object on the stack twice, once for the constructor and once as the value; both
 * copies go.
 *
 * @param home the class of the factory
 * @param factory the factory's name
 */
record Create(ClassDesc home, String factory) implements Rewrite {
  @Override
  public void emit(CodeBuilder code, InvokeInstruction call) {
    MethodTypeDesc type = call.typeSymbol();
    switch (type.parameterCount()) {
      case 0 -> code.pop2();
      case 1 -> code.dup_x2().pop().pop2();
      case 2 -> code.dup2_x2().pop2().pop2();
      default -> throw new IllegalStateException("a constructor with more arguments than two");
    }
    code.invokestatic(home, factory, type.changeReturnType(call.owner().asSymbol()));
  }

  @Override
  public DirectMethodHandleDesc reference(DirectMethodHandleDesc called) {
    return MethodHandleDesc.ofMethod(STATIC, home, factory, called.invocationType());
  }
}

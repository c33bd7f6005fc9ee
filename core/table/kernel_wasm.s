#include "go_asm.h"
#include "textflag.h"

// The bits of four vectors that equal a byte, as a word.
#define BITS(needle) \
	Get V0; Get needle; I8x16Eq; I8x16Bitmask; I64ExtendI32U; \
	Get V1; Get needle; I8x16Eq; I8x16Bitmask; I64ExtendI32U; I64Const $16; I64Shl; I64Or; \
	Get V2; Get needle; I8x16Eq; I8x16Bitmask; I64ExtendI32U; I64Const $32; I64Shl; I64Or; \
	Get V3; Get needle; I8x16Eq; I8x16Bitmask; I64ExtendI32U; I64Const $48; I64Shl; I64Or

// The 64 bytes at an address, in V0 to V3.
#define BLOCK(at) \
	Get at; I32WrapI64; V128Load $0; Set V0; \
	Get at; I32WrapI64; V128Load $16; Set V1; \
	Get at; I32WrapI64; V128Load $32; Set V2; \
	Get at; I32WrapI64; V128Load $48; Set V3

// What is looked for, 16 times each: the delimiter, which is at hand, quotes, LFs and CRs.
#define NEEDLES \
	I8x16Splat; Set V4; \
	I32Const $34; I8x16Splat; Set V5; \
	I32Const $10; I8x16Splat; Set V6; \
	I32Const $13; I8x16Splat; Set V7

// func markVectors(text *byte, blocks int, delimiter byte, found *[4]uint64)
TEXT ·markVectors(SB), NOSPLIT, $0-32
	MOVD text+0(FP), R0
	MOVD blocks+8(FP), R1
	MOVD found+24(FP), R2

	I32Load8U delimiter+16(FP)
	NEEDLES

	Block
		Loop
			Get R1
			I64Eqz
			BrIf $1

			BLOCK(R0)

			Get R2
			I32WrapI64
			BITS(V4)
			I64Store $0
			Get R2
			I32WrapI64
			BITS(V5)
			I64Store $8
			Get R2
			I32WrapI64
			BITS(V6)
			I64Store $16
			Get R2
			I32WrapI64
			BITS(V7)
			I64Store $24

			Get R0
			I64Const $64
			I64Add
			Set R0
			Get R2
			I64Const $32
			I64Add
			Set R2
			Get R1
			I64Const $1
			I64Sub
			Set R1
			Br $0
		End
	End
	RET

// func findVectors(b *batch, f *finding, text *byte, blocks int)
//
// R0 text, R1 the place of the block, R2 the last of rows; of a block R3 ends of fields, R4 quotes,
// R5 rows, R6 CRs; before it R7 inside, R8 closed, R9 returned, R10 mayOpen, R11 mayNotEnd, R12 ends,
// R14 lines; R13 bad, R15 what is needed for a moment.
TEXT ·findVectors(SB), NOSPLIT, $0-32
	MOVD text+16(FP), R0
	MOVD b+0(FP), R2
	Get R2
	I64Const $batch_rows
	I64Add
	Set R2
	I64Const $0
	Set R1
	I64Const $0
	Set R7
	I64Const $0
	Set R8
	I64Const $0
	Set R9
	I64Const $1
	Set R10
	I64Const $1
	Set R11
	I64Const $0
	Set R12
	I64Const $0
	Set R13
	I64Const $0
	Set R14

	MOVD f+8(FP), R15
	Get R15
	I32WrapI64
	I64Load8U $finding_delimiter
	I32WrapI64
	NEEDLES

	Block
		Loop
			// not clean; no text; no room for its ends; no room for its rows
			Get R13
			I64Const $0
			I64Ne
			BrIf $1
			Get R1
			I64Load blocks+24(FP)
			I64Const $6
			I64Shl
			I64GeU
			BrIf $1
			Get R12
			I64Const $const_roomEnds
			I64GtU
			BrIf $1
			Get R2
			I64Load b+0(FP)
			I64Sub
			I64Const $(batch_rows + const_roomRows * place__size)
			I64GtU
			BrIf $1

			Get R0
			Get R1
			I64Add
			Set R15
			BLOCK(R15)
			BITS(V4)
			Set R3
			BITS(V5)
			I64Load f+8(FP)
			I32WrapI64
			I64Load $finding_quoting
			I64And
			Set R4
			BITS(V6)
			Set R5
			BITS(V7)
			Set R6

			// quotes of the block
			Get R1
			I64Const $3
			I64ShrU
			I64Load b+0(FP)
			I64Add
			I32WrapI64
			Get R4
			I64Store $batch_quotes
			Get R3
			Get R5
			I64Or
			Set R3
			I64Load f+8(FP)
			I32WrapI64
			I64Const $0
			I64Store $finding_inner

			Block
				Block
					Get R4
					Get R6
					I64Or
					Get R7
					I64Or
					Get R8
					I64Or
					Get R9
					I64Or
					I64Eqz
					BrIf $0 // nothing but ends

					I64Load f+8(FP)
					I32WrapI64
					I64Load f+8(FP)
					I32WrapI64
					I64Load $finding_quotes
					Get R4
					I64Or
					I64Store $finding_quotes

					// R15: inside
					Get R4; Get R4; I64Const $1; I64Shl; I64Xor; Set R15
					Get R15; Get R15; I64Const $2; I64Shl; I64Xor; Set R15
					Get R15; Get R15; I64Const $4; I64Shl; I64Xor; Set R15
					Get R15; Get R15; I64Const $8; I64Shl; I64Xor; Set R15
					Get R15; Get R15; I64Const $16; I64Shl; I64Xor; Set R15
					Get R15; Get R15; I64Const $32; I64Shl; I64Xor; Get R7; I64Xor; Set R15
					Get R15; I64Const $63; I64ShrS; Set R7

					I64Load f+8(FP)
					I32WrapI64
					Get R5
					Get R15
					I64And
					I64Store $finding_inner

					// CRs without an LF, outside quotes
					Get R6; Get R15; I64Const $-1; I64Xor; I64And; Set R6
					Get R6; I64Const $1; I64Shl; Get R9; I64Or
					Get R5; I64Const $-1; I64Xor; I64And
					Set R13
					Get R6; I64Const $63; I64ShrU; Set R9

					Get R3; Get R15; I64Const $-1; I64Xor; I64And; Set R3
					Get R5; Get R15; I64Const $-1; I64Xor; I64And; Set R5

					// empty lines
					Get R5; Get R6; I64Or
					Get R5; I64Const $1; I64Shl; Get R11; I64Or; I64And
					Get R13; I64Or; Set R13
					Get R5; I64Const $63; I64ShrU; Set R11

					// what follows a quote that closes; R8 is then of the next block
					Get R4; Get R15; I64Const $-1; I64Xor; I64And; I64Const $1; I64Shl; Get R8; I64Or
					Get R3; Get R6; I64Or; Get R4; Get R15; I64And; I64Or
					I64Const $-1; I64Xor; I64And
					Get R13; I64Or; Set R13
					Get R4; Get R15; I64Const $-1; I64Xor; I64And; I64Const $63; I64ShrU; Set R8

					// what stands before one that opens
					Get R4; Get R15; I64And
					Get R4; Get R15; I64Const $-1; I64Xor; I64And; Get R3; I64Or; Tee R15
					I64Const $1; I64Shl; Get R10; I64Or
					I64Const $-1; I64Xor; I64And
					Get R13; I64Or; Set R13
					Get R15; I64Const $63; I64ShrU; Set R10
					Br $1
				End

				Get R5; I64Const $1; I64Shl; Get R11; I64Or; Get R5; I64And; Set R13
				Get R3; I64Const $63; I64ShrU; Set R10
				Get R5; I64Const $63; I64ShrU; Set R11
			End

			// no row from the first bad byte on
			Get R13
			I64Const $0
			I64Ne
			If
				Get R5
				Get R13
				I64Const $0
				Get R13
				I64Sub
				I64And
				I64Const $1
				I64Sub
				I64And
				Set R5
			End

			Get R1
			I64Const $3
			I64ShrU
			I64Load b+0(FP)
			I64Add
			I32WrapI64
			Get R3
			I64Store $batch_marks

			Block
				Loop
					Get R5
					I64Eqz
					BrIf $1

					// R6: up to the row's end; R4: its last end; R15: f
					Get R5
					Get R5
					I64Const $1
					I64Sub
					I64Xor
					Set R6
					Get R3
					Get R6
					I64And
					I64Popcnt
					Get R12
					I64Add
					Set R4
					I64Load f+8(FP)
					Set R15

					Get R15
					I32WrapI64
					Get R4
					Get R2
					I32WrapI64
					I64Load32U $place_end
					I64Sub
					Get R15
					I32WrapI64
					I64Load $finding_fields
					I64Xor
					Get R15
					I32WrapI64
					I64Load $finding_odd
					I64Or
					I64Store $finding_odd

					Get R2
					I64Const $place__size
					I64Add
					Set R2
					Get R2
					I32WrapI64
					Get R6
					I64Popcnt
					Get R1
					I64Add
					I64Store32 $place_at
					Get R2
					I32WrapI64
					Get R4
					I64Store32 $place_end
					Get R2
					I32WrapI64
					Get R15
					I32WrapI64
					I64Load $finding_inner
					Get R6
					I64And
					I64Popcnt
					Get R14
					I64Add
					I64Store32 $place_lines

					Get R5
					Get R5
					I64Const $1
					I64Sub
					I64And
					Set R5
					Br $0
				End
			End

			Get R3
			I64Popcnt
			Get R12
			I64Add
			Set R12
			I64Load f+8(FP)
			I32WrapI64
			I64Load $finding_inner
			I64Popcnt
			Get R14
			I64Add
			Set R14
			Get R1
			I64Const $64
			I64Add
			Set R1
			Br $0
		End
	End

	I64Load f+8(FP)
	I32WrapI64
	Get R2
	I64Load b+0(FP)
	I64Const $batch_rows
	I64Add
	I64Sub
	I64Const $place__size
	I64DivU
	I64Store $finding_rows
	RET

// func plainVectors(text *byte, blocks int) int
//
// A byte is plain if it is from 1 to 127, so that it is below 127 when 1 is taken off.
TEXT ·plainVectors(SB), NOSPLIT, $0-24
	MOVD text+0(FP), R0
	MOVD blocks+8(FP), R1
	I64Const $0
	Set R2
	I32Const $1
	I8x16Splat
	Set V4
	I32Const $127
	I8x16Splat
	Set V5

	Block
		Loop
			Get R2
			Get R1
			I64GeU
			BrIf $1
			Get R0
			I32WrapI64
			V128Load $0
			Get V4
			I8x16Sub
			Get R0
			I32WrapI64
			V128Load $16
			Get V4
			I8x16Sub
			I8x16MaxU
			Get R0
			I32WrapI64
			V128Load $32
			Get V4
			I8x16Sub
			I8x16MaxU
			Get R0
			I32WrapI64
			V128Load $48
			Get V4
			I8x16Sub
			I8x16MaxU
			Get V5
			I8x16GeU
			V128AnyTrue
			BrIf $1
			Get R0
			I64Const $64
			I64Add
			Set R0
			Get R2
			I64Const $1
			I64Add
			Set R2
			Br $0
		End
	End

	Get SP
	Get R2
	I64Store ret+16(FP)
	RET

// One word of eight bytes: SQUEEZE(where it is in the block).
#define SQUEEZE(at) \
	Get R4; I32WrapI64; \
	Get R1; I32WrapI64; V128Load $at; \
	Get R6; I64Const $255; I64And; Tee R7; I64Const $4; I64Shl; Get R5; I64Add; I32WrapI64; V128Load $0; \
	I8x16Swizzle; V128Store $0; \
	Get R4; I64Const $8; I64Add; Get R7; I64Popcnt; I64Sub; Set R4; \
	Get R6; I64Const $8; I64ShrU; Set R6

// Two words as they are. (The assembler takes no offset for V128Store.)
#define COPY(at) \
	Get R4; I64Const $at; I64Add; I32WrapI64; Get R1; I32WrapI64; V128Load $at; V128Store $0

// func squeezeVectors(into, from *byte, quotes *uint64, before *uint32, blocks int, kept *[256][16]byte)
TEXT ·squeezeVectors(SB), NOSPLIT, $0-48
	MOVD into+0(FP), R0
	MOVD from+8(FP), R1
	MOVD quotes+16(FP), R2
	MOVD before+24(FP), R3
	MOVD kept+40(FP), R5
	MOVD blocks+32(FP), R8
	Get R0
	Set R4
	I64Const $0
	Set R9

	Block
		Loop
			Get R8
			I64Eqz
			BrIf $1

			// before = start - to
			Get R3
			I32WrapI64
			Get R9
			Get R4
			Get R0
			I64Sub
			I64Sub
			I64Store32 $0

			Get R2
			I32WrapI64
			I64Load $0
			Tee R6
			I64Eqz
			If
				COPY(0)
				COPY(16)
				COPY(32)
				COPY(48)
				Get R4
				I64Const $64
				I64Add
				Set R4
			End
			Get R6
			I64Eqz
			I32Eqz
			If
				SQUEEZE(0)
				SQUEEZE(8)
				SQUEEZE(16)
				SQUEEZE(24)
				SQUEEZE(32)
				SQUEEZE(40)
				SQUEEZE(48)
				SQUEEZE(56)
			End

			Get R1
			I64Const $64
			I64Add
			Set R1
			Get R2
			I64Const $8
			I64Add
			Set R2
			Get R3
			I64Const $4
			I64Add
			Set R3
			Get R9
			I64Const $64
			I64Add
			Set R9
			Get R8
			I64Const $1
			I64Sub
			Set R8
			Br $0
		End
	End

	RET

// Two words of a window, mixed into R12 and R13.
#define MIX(at, behind) \
	Get R12; Get R8; I32WrapI64; I64Load $at; Get R10; I32WrapI64; I64Load $at; I64And; I64Xor; \
	Get R4; I64Mul; Tee R12; Get R12; I64Const $32; I64ShrU; I64Xor; Set R12; \
	Get R13; Get R8; I32WrapI64; I64Load $behind; Get R10; I32WrapI64; I64Load $behind; I64And; I64Xor; \
	Get R5; I64Mul; Tee R13; Get R13; I64Const $32; I64ShrU; I64Xor; Set R13

// func hashVectors(m *multiset, text, joined *byte, rows *place, n int, quotes *uint64, start uint32) (done int, last uint64)
TEXT ·hashVectors(SB), NOSPLIT, $0-72
	MOVD m+0(FP), R0
	MOVD joined+16(FP), R1
	MOVD rows+24(FP), R2
	MOVD n+32(FP), R3
	I64Load32U start+48(FP)
	Set R6

	Get R0
	I32WrapI64
	I64Load $multiset_factors
	Set R4
	Get R0
	I32WrapI64
	I64Load $(multiset_factors + 8)
	Set R5
	Get R0
	I32WrapI64
	I64Load $multiset_first
	Set R14
	Get R0
	I32WrapI64
	I64Load $multiset_last
	Set R15
	I64Const $-1
	Set R11 // a hash

	Block
		Loop
			Get R3
			I64Eqz
			BrIf $1

			// R8: where it ends in text; R9: in joined
			Get R2
			I32WrapI64
			I64Load32U $(place__size + place_at)
			I64Const $1
			I64Sub
			Tee R8
			Set R9
			I64Load quotes+40(FP)
			I64Eqz
			I32Eqz
			If
				Get R8
				Get R8
				I64Const $6
				I64ShrU
				I64Const $2
				I64Shl
				Get R0
				I64Add
				I32WrapI64
				I64Load32U $multiset_before
				I64Sub
				Get R8
				I64Const $6
				I64ShrU
				I64Const $3
				I64Shl
				I64Load quotes+40(FP)
				I64Add
				I32WrapI64
				I64Load $0
				I64Const $-1
				Get R8
				I64Shl // by its last six bits
				I64Const $-1
				I64Xor
				I64And
				I64Popcnt
				I64Sub
				Set R9
			End

			// R10: whether a CR comes before that
			I64Load text+8(FP)
			Get R8
			I64Add
			I64Const $1
			I64Sub
			I32WrapI64
			I64Load8U $0
			I64Const $13
			I64Eq
			I64ExtendI32U
			Set R10

			// R8: the row in joined; R6: the next; R9: bytes
			Get R1
			Get R6
			I64Add
			Set R8
			Get R9
			Get R10
			I64Sub
			Get R6
			I64Sub
			Get R9
			I64Const $1
			I64Add
			Set R6
			Set R9

			// one that may have no values is left to the caller
			Get R9
			I64Eqz
			Get R8
			I32WrapI64
			I32Load8U $0
			I32Const $44 // comma
			I32Eq
			I32Or
			If
				Br $2
			End

			Get R2
			I64Const $place__size
			I64Add
			Set R2
			Get R3
			I64Const $1
			I64Sub
			Set R3

			// the seeds, the second with the length
			Get R0
			I32WrapI64
			I64Load $multiset_seeds
			Set R12
			Get R0
			I32WrapI64
			I64Load $(multiset_seeds + 8)
			Get R9
			Get R5
			I64Mul
			I64Xor
			Set R13

			Loop
				// R7: bytes of this window, R10: its mask
				Get R9
				I64Const $64
				Get R9
				I64Const $64
				I64LtU
				Select
				Set R7
				Get R0
				I64Const $(multiset_masks + 64)
				I64Add
				Get R7
				I64Sub
				Set R10
				MIX(0, 8)
				MIX(16, 24)
				MIX(32, 40)
				MIX(48, 56)
				Get R8
				Get R7
				I64Add
				Set R8
				Get R9
				Get R7
				I64Sub
				Tee R9
				I64Eqz
				I32Eqz
				BrIf $0
			End

			Get R12
			Get R13
			Get R4
			I64Mul
			I64Xor
			Tee R11

			// the finalizer
			Get R11
			I64Const $30
			I64ShrU
			I64Xor
			I64Const $0xbf58476d1ce4e5b9
			I64Mul
			Tee R11
			Get R14
			I64Add
			Set R14
			Get R11
			Get R11
			I64Const $27
			I64ShrU
			I64Xor
			I64Const $0x94d049bb133111eb
			I64Mul
			Tee R11
			Get R11
			I64Const $31
			I64ShrU
			I64Xor
			Tee R11
			Get R15
			I64Add
			Set R15

			Get R11
			Get R0
			I32WrapI64
			I64Load $multiset_bound
			I64GeU
			BrIf $0
		End
	End

	Get R0
	I32WrapI64
	Get R14
	I64Store $multiset_first
	Get R0
	I32WrapI64
	Get R15
	I64Store $multiset_last

	MOVD n+32(FP), R10
	Get R10
	Get R3
	I64Sub
	Set R10
	Get SP
	Get R10
	I64Store done+56(FP)
	Get SP
	Get R11
	I64Store last+64(FP)
	Get R0
	I32WrapI64
	Get R0
	I32WrapI64
	I64Load $multiset_rows
	Get R10
	I64Add
	I64Store $multiset_rows
	RET

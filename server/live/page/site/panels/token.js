// SPDX-License-Identifier: MIT
// The dialog that asks for the server's token, and says so where it is wrong.
export class TokenDialog {
    constructor(page, connection) {
        this.dialog = page.getElementById('token-dialog');
        this.text = page.getElementById('token-text');
        this.field = page.getElementById('token');
        this.dialog.addEventListener('cancel', event => event.preventDefault()); // there is nothing behind it to see
        page.getElementById('token-form').addEventListener('submit', event => {
            event.preventDefault();
            connection.useToken(this.field.value);
        });
    }

    ask(wrong) {
        this.text.textContent = wrong
            ? 'That token is wrong. It was chosen with --token when the server was started.'
            : 'It was chosen with --token when the server was started.';
        this.text.dataset.kind = wrong ? 'bad' : '';
        if (!this.dialog.open) this.dialog.showModal();
        this.field.select();
    }

    close() {
        if (this.dialog.open) this.dialog.close();
    }
}
